// The time without Redis: told when it begins and when it is over; between them this process is on its own, or at rest.
import { formatPace } from '../rate.ts'
import { conductAlone, fairPart } from './alone.ts'
import type { Conductor } from './conductor.ts'
import type { Member } from './member.ts'
import type { ParticipantOptions } from './participant.ts'
import type { Status } from './protocol.ts'

export interface Outage {
  readonly isOn: boolean
  /** `last`: what a conductor by Redis told last. */
  begin(last: Status): void
  /** Nothing where none is on. The member has yet to follow whoever conducts now. */
  end(): void
  close(): void
}

export function createOutage(
  member: Member,
  {
    clock,
    random,
    stopsWhenLost,
    onLost,
    onBack,
  }: Pick<ParticipantOptions, 'clock' | 'random' | 'stopsWhenLost' | 'onLost' | 'onBack'>,
): Outage {
  let isOn = false
  let alone: Conductor | undefined
  const close = (): void => {
    alone?.close()
    alone = undefined
  }
  return {
    get isOn() {
      return isOn
    },
    begin: (last) => {
      if (isOn) return
      isOn = true
      if (stopsWhenLost) {
        onLost('Redis is lost: nothing more is sent')
        return
      }
      alone = conductAlone(member, last, clock, random)
      const those = last.processes === 1 ? '1 process' : `${last.processes} processes`
      const words = `Redis is lost: this process goes on alone, at its fair part of the last pace (${formatPace(last.pace)} for ${those}): ${formatPace(fairPart(last).pace)}`
      member.announceNext(words)
      onLost(words)
    },
    end: () => {
      if (!isOn) return
      isOn = false
      close()
      const words = 'Redis is back: the limit is shared again'
      member.announceNext(words)
      onBack(words)
    },
    close,
  }
}
