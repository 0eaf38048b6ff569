export function PhoneLink({ phone }: { phone: string }) {
  return (
    <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className="link whitespace-nowrap max-sm:inline">
      {phone}
    </a>
  )
}
