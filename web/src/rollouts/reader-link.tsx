import { Link } from 'react-router'
import { paths } from '../paths.ts'

/** A serial number that leads to its reader. */
export const ReaderLink = ({ serialNumber }: { serialNumber: string }) => (
  <Link className="mono rollout-reader" to={paths.device({ serialNumber })}>
    <bdi>{serialNumber}</bdi>
  </Link>
)
