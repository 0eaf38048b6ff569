// A program: opens the cluster of its argument, prints it, and stops it at the end of its input.
import { once } from 'node:events'
import { type ClusterOptions, openCluster } from '../../postgres/cluster.ts'

const cluster = await openCluster(JSON.parse(process.argv[2] ?? '') as ClusterOptions)
console.log(JSON.stringify(cluster))
process.stdin.resume()
await once(process.stdin, 'end')
await cluster.stop()
