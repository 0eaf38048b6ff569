/** A share, such as "79.8%". It is 0% only for none, and 100% only for all. */
export function formatShare(count: number, all: number): string {
  if (count <= 0 || all <= 0) return '0%'
  const percent = Math.round((count / all) * 1000) / 10
  if (percent < 0.1) return '<0.1%'
  if (percent >= 100 && count < all) return '>99.9%'
  return `${percent}%`
}
