// Processes of one organization on one machine: they find each other, and what is left by dead ones is swept away.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { joinPresence, type Presence } from '../../src/pace/presence.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = temporaryFolder()
let folders = 0
const newFolder = (): string => join(root, String((folders += 1)))

const joined: Presence[] = []
afterEach(() => {
  for (const presence of joined.splice(0)) presence.leave()
})
function enter(folder: string, pid: number, isOfGroup = false): { presence: Presence; told: number[] } {
  const told: number[] = []
  const presence = joinPresence(folder, pid, (processes) => told.push(processes), isOfGroup)
  joined.push(presence)
  return { presence, told }
}

test('two processes see each other, and see one leave', () => {
  const folder = newFolder()
  const first = enter(folder, process.pid)
  expect([first.presence.processes, first.told]).toEqual([1, []])
  const second = enter(folder, process.ppid)
  expect([second.presence.processes, second.told]).toEqual([2, [2]])
  first.presence.beat()
  expect(first.told).toEqual([2])
  second.presence.leave()
  first.presence.beat()
  expect(first.told).toEqual([2, 1])
})

test('a process that died, or whose number belongs to another now, does not count', async () => {
  const folder = newFolder()
  mkdirSync(folder)
  const child = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => {
    child.on('exit', resolve)
  })
  writeFileSync(join(folder, String(child.pid)), '')
  writeFileSync(join(folder, String(process.ppid)), '')
  const hourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(join(folder, String(process.ppid)), hourAgo, hourAgo)
  writeFileSync(join(folder, 'no-process'), '')
  expect(enter(folder, process.pid).presence.processes).toBe(1)
  expect(readdirSync(folder)).toEqual([String(process.pid)])
})

test('where the folder cannot be used a process believes that it is alone', () => {
  const file = newFolder()
  writeFileSync(file, '')
  const { presence, told } = enter(file, process.pid)
  expect([presence.processes, told]).toEqual([1, []])
})

test('processes that share through Redis are one among those that share by files', () => {
  const folder = newFolder()
  const [one, other] = [enter(folder, process.pid, true), enter(folder, process.ppid, true)]
  other.presence.beat()
  expect([one.presence.processes, other.presence.processes]).toEqual([1, 1])
  const local = enter(folder, process.pid)
  expect(local.presence.processes).toBe(2)
  one.presence.beat()
  expect(one.told).toEqual([2])
  one.presence.leave()
  other.presence.leave()
  local.presence.beat()
  expect(local.told).toEqual([2, 1])
})
