import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { watchLostModules } from './lib/monitoring/lost-modules.ts'
import { reportFailure, watchErrors } from './lib/monitoring/monitoring.ts'
import { routes } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
watchErrors()
watchLostModules()
createRoot(root).render(
  <StrictMode>
    <RouterProvider
      router={createBrowserRouter(routes)}
      onError={(error, { errorInfo }) => reportFailure(error, { componentStack: errorInfo?.componentStack })}
    />
  </StrictMode>,
)
