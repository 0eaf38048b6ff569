/** What is read anew when somebody has changed over to a group. */
export const changedByJoining = ['getCurrentUser', 'listGroups', 'getGroup', 'getOrganization', 'listRegistrationTasks'] as const
