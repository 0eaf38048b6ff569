import { Navigate, Outlet, type RouteObject } from 'react-router'
import { Registered } from './registration/registered.tsx'
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

const staff = { needs: ['global:access:organizations'] }

/** Every screen for registered people. Bars offer only what stands here. */
const screens: RouteObject[] = [
  page('/product', () => import('./products/product-list-page.tsx')),
  page('/product/id/:productId/details', () => import('./products/product-details-page.tsx')),
  page('/profile', () => import('./users/profile-page.tsx')),
  page('/group', () => import('./groups/group-page.tsx')),
  page('/codedm', () => import('./home/home-page.tsx')),
  page('/codedm/installation-instructions', () => import('./home/installation-instructions-page.tsx')),
  page('/codedm/zones', () => import('./zones/zones-page.tsx')),
  page('/codedm/device-dashboard', () => import('./devices/device-dashboard-page.tsx')),
  page('/codedm/apply-config', () => import('./publish/apply-config-page.tsx'), { needs: ['manage:cfg'], ownStrip: true }),
  page('/codedm/config-success', () => import('./publish/config-success-page.tsx')),
  page('/admin/organizations', () => import('./organizations/organizations-page.tsx'), staff),
  page('/admin/organizations/:organizationId/groups/id/:groupId/details', () => import('./organizations/group-details-page.tsx'), staff),
  page('/admin/marketing', () => import('./ads/marketing-page.tsx'), staff),
  page('/admin/products', () => import('./products/catalogue-page.tsx'), staff),
]

/** Screens for signed-in people who may have something left to register. */
const beforeRegistration: RouteObject[] = [
  page('/register', () => import('./registration/register-page.tsx')),
  page('/join/:groupId', () => import('./groups/join-page.tsx')),
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
            <Outlet />
          </Guard>
        ),
        children: beforeRegistration,
      },
      {
        element: (
          <Guard>
            <Registered>
              <Layout screens={paths} />
            </Registered>
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
