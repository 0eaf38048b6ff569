import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { Accordion } from '../ui/layout/accordion.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import type { Question } from './question.ts'

const modules = import.meta.glob<{ questions: readonly Question[] }>('./faq/*.ts')

/**
 * Returns the loader of a page's questions; undefined where it has none. Their file is named as the page's path, with underscores for
 * slashes (spec §2, §7).
 */
export function findQuestions(path: string): (() => Promise<{ questions: readonly Question[] }>) | undefined {
  return modules[`./faq/${path.replace(/\/+$/, '').replaceAll('/', '_')}.ts`]
}

/** Shows the page's questions about a topic. Shows nothing where there are none, or they cannot be loaded. */
export function Questions({ topic }: { topic: Question['topic'] }) {
  const { pathname } = useLocation()
  const [questions, setQuestions] = useState<readonly Question[]>([])
  useEffect(() => {
    let current = true
    findQuestions(pathname)?.().then(
      (module) => current && setQuestions(module.questions),
      // Help is not needed to go on, so its failure is ignored.
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [pathname])
  const shown = questions.filter((question) => question.topic === topic)
  if (shown.length === 0) return null
  return (
    <Panel title="Questions about this step" flush>
      <Accordion key={topic} items={shown} />
    </Panel>
  )
}
