import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { Accordion } from '../ui/layout/accordion.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import type { Question } from './question.ts'

const modules = import.meta.glob<{ questions: readonly Question[] }>('./faq/*.ts')

/** Loads a page's module of questions, called as its path with underscores for slashes (spec §2, §7). */
export function findQuestions(path: string): (() => Promise<{ questions: readonly Question[] }>) | undefined {
  return modules[`./faq/${path.replace(/\/+$/, '').replaceAll('/', '_')}.ts`]
}

/** Null where the page has no questions about the topic, or they cannot be loaded. */
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
