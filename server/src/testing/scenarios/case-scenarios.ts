import type { TestPerson } from '../makers.ts'

const body = { subject: 'Silent', description: 'The reader says nothing.' }

/** Each function prepares its call and returns the function that makes it. */
export function caseScenarios(person: () => Promise<TestPerson>) {
  async function opened() {
    const { call } = await person()
    return { call, id: (await call('createCase', { body })).body.id }
  }
  return {
    createCase: async () => {
      const { call } = await person()
      return () => call('createCase', { body })
    },
    updateCase: async () => {
      const { call, id } = await opened()
      return () => call('updateCase', { body: { id, followUp: 'It blinks.' } })
    },
    deleteCase: async () => {
      const { call, id } = await opened()
      return () => call('deleteCase', { params: { id } })
    },
  }
}
