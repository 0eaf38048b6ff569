import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { FieldError } from '../ui/form/field.tsx'
import { Select } from '../ui/input/select.tsx'

type CountrySelectProps = { value: string | undefined; onChange: (code: string) => void; onBlur?: () => void }

/** Countries do not change while a page is open. */
export const countriesQuery = { ...q('listCountries', {}), staleTime: Number.POSITIVE_INFINITY }

const names = new Intl.DisplayNames('en', { type: 'region' })

/** Lists every country by name; typing finds one (spec §5). Until the list is loaded, it has only the chosen country. */
export function CountrySelect({ value, onChange, onBlur }: CountrySelectProps) {
  const { data, error, refetch, isFetching } = useQuery(countriesQuery)
  const own = value ? [{ value, label: names.of(value) ?? value }] : []
  return (
    <>
      <Select
        options={data?.map(({ countryCode, name }) => ({ value: countryCode, label: name })) ?? own}
        value={value}
        placeholder="Not set"
        onChange={onChange}
        onBlur={onBlur}
      />
      {error && !data && (
        <FieldError>
          <span>
            The list of countries could not be loaded.{' '}
            <Button variant="link" busy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          </span>
        </FieldError>
      )}
    </>
  )
}
