// A program for tests: a Salesforce organization as salesforce.ts makes it, whose administrator requires a model of every case.
// `PUT /trouble/{trouble}` says what it does to the next calls.
import { parseArgs } from 'node:util'
import { startSalesforce } from './salesforce.ts'

const { values } = parseArgs({ options: { port: { type: 'string' }, secret: { type: 'string' } } })
await startSalesforce({ requiresModel: true, port: Number(values.port), clientSecret: values.secret ?? '' })
console.log('Salesforce is ready')
