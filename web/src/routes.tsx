import { Navigate, Outlet, type RouteObject } from 'react-router'
import { collectScreens, type ScreenHandle } from './lib/screens.ts'
import { paths, patterns } from './paths.ts'
import { Registered } from './registration/registered.tsx'
import { ErrorPage, RootErrorPage } from './shell/error-page.tsx'
import { Guard } from './shell/guard.tsx'
import { Layout } from './shell/layout.tsx'
import { loadSettings, Root } from './shell/root.tsx'
import { NotFound } from './shell/screen.tsx'
import { UpcomingPage } from './shell/upcoming-page.tsx'
import { loadPage } from './shell/waiting-page.tsx'

interface PageModule {
  default: React.ComponentType
}

const page = (path: string, load: () => Promise<PageModule>, handle: ScreenHandle = {}): RouteObject => ({
  path,
  handle,
  lazy: async () => ({ Component: await loadPage(load) }),
})

// A screen that is not built yet. Its page replaces this, and with it everything that says "not yet".
const upcoming = (path: string, title: string, message: string, handle: ScreenHandle = {}): RouteObject => ({
  path,
  handle: { withoutOrganization: true, ...handle, upcoming: true },
  element: <UpcomingPage title={title}>{message}</UpcomingPage>,
})

const managers = { needs: ['manage:people'] }
const whole = { ofWhole: true }
const anyone = { withoutOrganization: true }
const staff = { needs: ['global:access:organizations'], withoutOrganization: true }
const auditingStaff = { ...staff, needs: [...staff.needs, 'access:audit_log'] }

// Bars and cards link only to these.
const screens: RouteObject[] = [
  page(patterns.products, () => import('./products/product-list-page.tsx'), anyone),
  page(patterns.product, () => import('./products/product-details-page.tsx'), anyone),
  page(patterns.data, () => import('./graphs/data-page.tsx'), { ...whole, withoutOrganization: 'global:access:analytics' }),
  page(patterns.profile, () => import('./users/profile-page.tsx'), anyone),
  page(patterns.group, () => import('./groups/group-page.tsx'), whole),
  page(patterns.people, () => import('./people/people-page.tsx')),
  page(patterns.invitations, () => import('./people/invitations-page.tsx'), managers),
  page(patterns.roles, () => import('./people/roles-page.tsx'), managers),
  page(patterns.signIn, () => import('./people/sign-in-page.tsx'), managers),
  page(patterns.licences, () => import('./licences/licences-page.tsx'), whole),
  page(patterns.licence, () => import('./licences/licence-page.tsx'), whole),
  page(patterns.readers, () => import('./readers/readers-page.tsx'), whole),
  page(patterns.cases, () => import('./cases/support-page.tsx'), anyone),
  page(patterns.newCase, () => import('./cases/new-case-page.tsx'), anyone),
  page(patterns.case, () => import('./cases/case-page.tsx'), anyone),
  page(patterns.deviceManagement, () => import('./home/home-page.tsx'), anyone),
  page(patterns.installationInstructions, () => import('./home/installation-instructions-page.tsx'), anyone),
  page(patterns.zones, () => import('./zones/zones-page.tsx')),
  page(patterns.devices, () => import('./devices/device-dashboard-page.tsx')),
  page(patterns.device, () => import('./devices/device-page.tsx'), { ownStrip: true }),
  page(patterns.applyConfig, () => import('./publications/apply-config-page.tsx'), { needs: ['manage:cfg'], ownStrip: true }),
  page(patterns.configSuccess, () => import('./publications/config-success-page.tsx')),
  page(patterns.manageFirmware, () => import('./publications/manage-firmware-page.tsx'), { needs: ['manage:firmware'], ownStrip: true }),
  page(patterns.rollouts, () => import('./rollouts/rollouts-page.tsx')),
  page(patterns.rollout, () => import('./rollouts/rollout-page.tsx')),
  page(patterns.calendar, () => import('./calendar/calendar-page.tsx')),
  page(patterns.publishingSettings, () => import('./schedule/publishing-settings-page.tsx'), managers),
  page(patterns.createConfiguration, () => import('./barcode/builder/create-configuration-page.tsx'), anyone),
  page(patterns.builder, () => import('./barcode/builder/builder-page.tsx'), anyone),
  page(patterns.printSave, () => import('./barcode/symbols/print/print-save-page.tsx'), anyone),
  page(patterns.readConfiguration, () => import('./barcode/symbols/read/read-configuration-page.tsx'), anyone),
  page(patterns.setUpReader, () => import('./desk/set-up-reader-page.tsx'), { needs: ['manage:cfg'] }),
  page(patterns.library, () => import('./library/library-page.tsx')),
  page(patterns.auditLog, () => import('./audit/audit-log-page.tsx'), { needs: ['access:audit_log'] }),
  upcoming(patterns.activityStream, 'Activity Stream', 'Lectern does not show an activity stream yet.', {
    flag: 'showActivityStream',
  }),
  { path: patterns.analytics, handle: { flag: 'showDeviceAnalytics' }, element: <Navigate to={paths.data()} replace /> },
  page(patterns.organizations, () => import('./organizations/organizations-page.tsx'), staff),
  page(patterns.groupDetails, () => import('./organizations/group-details-page.tsx'), staff),
  page(patterns.organizationAuditLog, () => import('./audit/organization-audit-log-page.tsx'), auditingStaff),
  page(patterns.vendorAuditLog, () => import('./audit/vendor-audit-log-page.tsx'), auditingStaff),
  page(patterns.marketing, () => import('./ads/marketing-page.tsx'), staff),
  page(patterns.releases, () => import('./firmware/firmware-page.tsx'), staff),
  page(patterns.catalogue, () => import('./products/catalogue-page.tsx'), staff),
]

const beforeRegistration: RouteObject[] = [
  page(patterns.register, () => import('./registration/register-page.tsx')),
  page(patterns.join, () => import('./groups/join-page.tsx')),
]

export const routes: RouteObject[] = [
  {
    Component: Root,
    loader: loadSettings,
    // No action on a page changes them.
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
              { index: true, element: <Navigate to={paths.products()} replace />, handle: anyone },
              ...screens,
              { path: '*', Component: NotFound, handle: anyone },
            ],
          },
        ],
      },
    ],
  },
  ...(import.meta.env.DEV ? [page('/dev/components', () => import('./components-page.tsx'))] : []),
]
