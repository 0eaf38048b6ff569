import '../ui/button/button.css'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { auditAddress } from './audit-address.ts'

export const DeviceLogLink = ({ serialNumber }: { serialNumber: string }) => (
  <Link className="link" to={paths.auditLog(auditAddress.write({ ...auditAddress.first, reader: serialNumber }))}>
    Entries of the audit log
  </Link>
)
