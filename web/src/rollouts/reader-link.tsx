import { Link } from 'react-router'

/** A serial number that leads to its reader. */
export const ReaderLink = ({ serialNumber }: { serialNumber: string }) => (
  <Link className="mono rollout-reader" to={`/codedm/devices/${encodeURIComponent(serialNumber)}`}>
    <bdi>{serialNumber}</bdi>
  </Link>
)
