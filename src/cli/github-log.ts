// Annotations as the commands that GitHub Actions reads from a job's log. Other CI systems show junit.xml.
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Annotation } from '../report/annotations.ts'
import { terminalText as visible } from '../report/escape.ts'

/** Escapes as actions/toolkit does (packages/core/src/command.ts). A file outside of `root` is not named. */
export function githubAnnotation({ level, title, lines, file, line }: Annotation, root: string): string {
  const escapeData = (text: string): string =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const escapeProperty = (text: string): string =>
    escapeData(visible(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
  const path = file === undefined ? '' : relative(root, resolve(file))
  const isInside = path !== '' && !path.startsWith('..') && !isAbsolute(path)
  const properties = [
    ...(isInside ? [`file=${escapeProperty(path.split(sep).join('/'))}`, `line=${line ?? 1}`] : []),
    `title=${escapeProperty(title)}`,
  ]
  return `::${level} ${properties.join(',')}::${lines.map((text) => escapeData(visible(text))).join('%0A')}`
}
