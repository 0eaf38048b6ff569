// A program: opens the cluster in the folder of its argument, prints its connection string, and stops it when its input ends.
import { once } from 'node:events'
import { type ClusterOptions, openCluster } from '../../postgres/cluster.ts'

const cluster = await openCluster(JSON.parse(process.argv[2] ?? '') as ClusterOptions)
console.log(JSON.stringify(cluster))
process.stdin.resume()
await once(process.stdin, 'end')
await cluster.stop()
