import { Navigate, Outlet, type RouteObject } from 'react-router'
import { collectScreens, type ScreenHandle } from './lib/screens.ts'
import { Registered } from './registration/registered.tsx'
import { ErrorPage, RootErrorPage } from './shell/error-page.tsx'
import { Guard } from './shell/guard.tsx'
import { Layout } from './shell/layout.tsx'
import { NotFound } from './shell/not-found.tsx'
import { loadSettings, Root } from './shell/root.tsx'
import { UpcomingPage } from './shell/upcoming-page.tsx'

type PageModule = { default: React.ComponentType }

const page = (path: string, load: () => Promise<PageModule>, handle: ScreenHandle = {}): RouteObject => ({
  path,
  handle,
  lazy: async () => ({ Component: (await load()).default }),
})

/** The route of a screen that is not built yet. Its real page takes its place here, and everything that says "not yet" is gone. */
const upcoming = (path: string, title: string, message: string, handle: ScreenHandle = {}): RouteObject => ({
  path,
  handle: { withoutOrganization: true, ...handle, upcoming: true },
  element: <UpcomingPage title={title}>{message}</UpcomingPage>,
})

const anybody = { withoutOrganization: true }
const staff = { needs: ['global:access:organizations'], withoutOrganization: true }
const auditingStaff = { ...staff, needs: [...staff.needs, 'access:audit_log'] }

/** Every screen for registered people. Bars and cards lead only to what stands here. */
const screens: RouteObject[] = [
  page('/product', () => import('./products/product-list-page.tsx'), anybody),
  page('/product/id/:productId/details', () => import('./products/product-details-page.tsx'), anybody),
  page('/data', () => import('./graphs/data-page.tsx'), { withoutOrganization: 'global:access:analytics' }),
  page('/profile', () => import('./users/profile-page.tsx'), anybody),
  page('/group', () => import('./groups/group-page.tsx')),
  page('/licences', () => import('./licences/licences-page.tsx')),
  page('/licences/:id', () => import('./licences/licence-page.tsx')),
  page('/readers', () => import('./readers/readers-page.tsx')),
  page('/support', () => import('./cases/support-page.tsx'), anybody),
  page('/support/new', () => import('./cases/new-case-page.tsx'), anybody),
  page('/support/:caseId', () => import('./cases/case-page.tsx'), anybody),
  page('/codedm', () => import('./home/home-page.tsx')),
  page('/codedm/installation-instructions', () => import('./home/installation-instructions-page.tsx'), anybody),
  page('/codedm/zones', () => import('./zones/zones-page.tsx')),
  page('/codedm/device-dashboard', () => import('./devices/device-dashboard-page.tsx')),
  page('/codedm/devices/:serialNumber', () => import('./devices/device-page.tsx'), { ownStrip: true }),
  page('/codedm/apply-config', () => import('./publish/apply-config-page.tsx'), { needs: ['manage:cfg'], ownStrip: true }),
  page('/codedm/config-success', () => import('./publish/config-success-page.tsx')),
  page('/codedm/manage-firmware', () => import('./publish/manage-firmware-page.tsx'), { needs: ['manage:firmware'], ownStrip: true }),
  page('/codedm/rollouts', () => import('./rollouts/rollouts-page.tsx')),
  page('/codedm/rollouts/:id', () => import('./rollouts/rollout-page.tsx')),
  page('/codedm/create-configuration', () => import('./builder/create-configuration-page.tsx'), anybody),
  page('/codedm/create-configuration/:device', () => import('./builder/builder-page.tsx'), anybody),
  page('/codedm/create-configuration/:device/success', () => import('./symbols/print/print-save-page.tsx'), anybody),
  page('/codedm/read-configuration', () => import('./symbols/read/read-configuration-page.tsx'), anybody),
  page('/codedm/configuration-library', () => import('./library/library-page.tsx')),
  page('/codedm/audit-log', () => import('./audit/audit-log-page.tsx'), { needs: ['access:audit_log'] }),
  upcoming('/codedm/activity-stream', 'Activity Stream', 'Lectern does not show an activity stream yet.', {
    flag: 'showActivityStream',
  }),
  { path: '/codedm/analytics', handle: { flag: 'showDeviceAnalytics' }, element: <Navigate to="/data" replace /> },
  page('/admin/organizations', () => import('./organizations/organizations-page.tsx'), staff),
  page('/admin/organizations/:organizationId/groups/id/:groupId/details', () => import('./organizations/group-details-page.tsx'), staff),
  page('/admin/organizations/:organizationId/audit-log', () => import('./audit/organization-audit-log-page.tsx'), auditingStaff),
  page('/admin/audit-log', () => import('./audit/vendor-audit-log-page.tsx'), auditingStaff),
  page('/admin/marketing', () => import('./ads/marketing-page.tsx'), staff),
  page('/admin/firmware', () => import('./firmware/firmware-page.tsx'), staff),
  page('/admin/products', () => import('./products/catalogue-page.tsx'), staff),
]

/** Screens for signed-in people who may have something left to register. */
const beforeRegistration: RouteObject[] = [
  page('/register', () => import('./registration/register-page.tsx')),
  page('/join/:groupId', () => import('./groups/join-page.tsx')),
]

/** The whole URL space of the web app (spec §2). */
export const routes: RouteObject[] = [
  {
    Component: Root,
    loader: loadSettings,
    // Nothing that a page does changes them.
    shouldRevalidate: () => false,
    ErrorBoundary: RootErrorPage,
    HydrateFallback: () => null,
    children: [
      {
        element: (
          <Guard>
            <Outlet />
          </Guard>
        ),
        children: [{ Component: Outlet, ErrorBoundary: ErrorPage, children: beforeRegistration }],
      },
      {
        element: (
          <Guard>
            <Registered>
              <Layout screens={collectScreens(screens)} />
            </Registered>
          </Guard>
        ),
        children: [
          {
            Component: Outlet,
            ErrorBoundary: ErrorPage,
            children: [
              { index: true, element: <Navigate to="/product" replace />, handle: anybody },
              ...screens,
              { path: '*', Component: NotFound, handle: anybody },
            ],
          },
        ],
      },
    ],
  },
  ...(import.meta.env.DEV ? [page('/dev/components', () => import('./components-page.tsx'))] : []),
]
