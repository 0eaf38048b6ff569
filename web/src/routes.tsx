import { Navigate, Outlet, type RouteObject } from 'react-router'
import { ErrorPage } from './shell/error-page.tsx'
import { Guard } from './shell/guard.tsx'
import { Layout, type ScreenHandle } from './shell/layout.tsx'
import { homeOf, screensOf } from './shell/navigation.ts'
import { NotFound } from './shell/not-found.tsx'
import { loadSettings, Root } from './shell/root.tsx'

type PageModule = { default: React.ComponentType }

const page = (path: string, load: () => Promise<PageModule>, handle: ScreenHandle = {}): RouteObject => ({
  path,
  handle,
  lazy: async () => ({ Component: (await load()).default }),
})

/** Every screen for signed-in people. Bars offer only what stands here. */
const screens: RouteObject[] = [
  page('/codedm', () => import('./home/home-page.tsx')),
  page('/codedm/zones', () => import('./zones/zones-page.tsx')),
  page('/codedm/device-dashboard', () => import('./devices/device-dashboard-page.tsx')),
  page('/codedm/apply-config', () => import('./publish/apply-config-page.tsx'), { needs: ['manage:cfg'], ownStrip: true }),
  page('/codedm/config-success', () => import('./publish/config-success-page.tsx')),
]

const paths = screensOf(screens)

/** The whole URL space of the web app (spec §2). */
export const routes: RouteObject[] = [
  {
    Component: Root,
    loader: loadSettings,
    // Nothing that a page does changes them.
    shouldRevalidate: () => false,
    ErrorBoundary: ErrorPage,
    HydrateFallback: () => null,
    children: [
      {
        element: (
          <Guard>
            <Layout screens={paths} />
          </Guard>
        ),
        children: [
          {
            Component: Outlet,
            ErrorBoundary: ErrorPage,
            children: [{ index: true, element: <Navigate to={homeOf(paths)} replace /> }, ...screens, { path: '*', Component: NotFound }],
          },
        ],
      },
    ],
  },
  ...(import.meta.env.DEV ? [page('/dev/components', () => import('./components-page.tsx'))] : []),
]
