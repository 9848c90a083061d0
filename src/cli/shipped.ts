// Where the package keeps the knowledge base that it ships.
import { fileURLToPath } from 'node:url'

export const SHIPPED_KNOWLEDGE_BASE = fileURLToPath(new URL('../../datasets/knowledge-base', import.meta.url))
