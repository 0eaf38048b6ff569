// A program: the Salesforce organization of salesforce.ts, which requires a model for every case.
// `PUT /trouble/{trouble}` sets the trouble of the next calls.
import { parseArgs } from 'node:util'
import { startSalesforce } from './salesforce.ts'

const { values } = parseArgs({ options: { port: { type: 'string' }, secret: { type: 'string' } } })
await startSalesforce({ requiresModel: true, port: Number(values.port), clientSecret: values.secret ?? '' })
console.log('Salesforce is ready')
