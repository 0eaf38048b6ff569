import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { Accordion } from '../ui/layout/accordion.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import type { Question } from './question.ts'

const modules = import.meta.glob<{ questions: readonly Question[] }>('./faq/*.ts')

/** The questions of a page: a module of its own, named by the page's path with slashes turned into underscores (spec §2, §7). */
export function questionsModule(path: string): (() => Promise<{ questions: readonly Question[] }>) | undefined {
  return modules[`./faq/${path.replace(/\/+$/, '').replaceAll('/', '_')}.ts`]
}

/** Questions about this page, those about `topic` only; nothing where a page has none or they cannot be loaded. */
export function Questions({ topic }: { topic: Question['topic'] }) {
  const { pathname } = useLocation()
  const [questions, setQuestions] = useState<readonly Question[]>([])
  useEffect(() => {
    let current = true
    questionsModule(pathname)?.().then(
      (module) => current && setQuestions(module.questions),
      // Help that cannot be loaded must not keep anybody from their work.
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
