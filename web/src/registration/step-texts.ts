import type { RegistrationTask } from '@lectern/contract/registration.ts'

/** The label of each step (spec §2), and what it is about. */
export const stepTexts: Readonly<Record<RegistrationTask, { label: string; about: string }>> = {
  InitialUserRegistration: { label: 'User Info', about: 'Who you are and how to reach you' },
  JoinAGroup: { label: 'Join a group', about: 'By a colleague’s invitation link' },
  OrganizationSetup: { label: 'Setup your organization', about: 'Company name' },
  SelectProducts: { label: 'Select your products', about: 'Hardware and software you own' },
}
