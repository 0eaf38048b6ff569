/** The vendor's staff manage the ads. */
export default function MarketingPage() {
  return null
}
