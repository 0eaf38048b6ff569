import '../../ui/layout/panel.css'
import { classNames } from '../../ui/class-names.ts'
import { countChosen, type Place } from './places.ts'

interface CategoryListProps {
  places: readonly Place[]
  shown: Place
  isChosen: (optionId: string) => boolean
  onShow: (placeId: string) => void
  className?: string
}

export function CategoryList({ places, shown, isChosen, onShow, className }: CategoryListProps) {
  const ids = [...new Set(places.map(({ category }) => category.id))]
  const groups = places.filter(({ id, category }) => category.id === shown.category.id && id !== category.id)
  const chosen = (of: readonly Place[]) => of.reduce((sum, place) => sum + countChosen(place, isChosen), 0)
  return (
    <nav className={classNames('panel builder-categories', className)} aria-label="Configuration categories">
      <ul>
        {ids.map((id) => {
          const inside = places.filter(({ category }) => category.id === id)
          return (
            <Entry
              key={id}
              title={inside[0]!.category.title}
              count={chosen(inside)}
              isCurrent={shown.category.id === id}
              onShow={() => onShow(inside[0]!.id)}
            />
          )
        })}
      </ul>
      {groups.length > 0 && (
        <section
          className="builder-groups"
          aria-label={shown.category.title}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
          tabIndex={0}
        >
          <ul>
            {groups.map((place) => (
              <Entry
                key={place.id}
                title={place.title}
                count={chosen([place])}
                isCurrent={place.id === shown.id}
                onShow={() => onShow(place.id)}
              />
            ))}
          </ul>
        </section>
      )}
    </nav>
  )
}

function Entry({ title, count, isCurrent, onShow }: { title: string; count: number; isCurrent: boolean; onShow: () => void }) {
  return (
    <li>
      <button type="button" aria-current={isCurrent || undefined} onClick={onShow}>
        <span>{title}</span>
        {count > 0 && (
          <span className="builder-count">
            {count}
            <span className="sr-only"> chosen</span>
          </span>
        )}
      </button>
    </li>
  )
}
