import type { ReactNode } from 'react'

interface PhoneLinkProps {
  phone: string
  className?: string
  icon?: ReactNode
}

export const PhoneLink = ({ phone, className = 'link whitespace-nowrap max-sm:inline', icon }: PhoneLinkProps) => (
  <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className={className}>
    {icon}
    {phone}
  </a>
)
