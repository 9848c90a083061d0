// Where the package keeps what it ships. Every file of the build lies as deep as this one.
import { fileURLToPath } from 'node:url'

const shipped = (name: string): string => fileURLToPath(new URL(`../../datasets/${name}`, import.meta.url))

export const SHIPPED_KNOWLEDGE_BASE = shipped('knowledge-base')
export const SHIPPED_QUESTIONS = shipped('quickstart.csv')
