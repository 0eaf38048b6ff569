/** How much of the fleet so many readers are: "3.9% of fleet". What is there is never 0%, and what is missing never 100%. */
export function fleetShare(count: number, all: number): string {
  if (count <= 0 || all <= 0) return '0% of fleet'
  const percent = Math.round((count / all) * 1000) / 10
  if (percent < 0.1) return '<0.1% of fleet'
  if (percent >= 100 && count < all) return '>99.9% of fleet'
  return `${percent}% of fleet`
}
