// Numbers by groups that they join one after the other: of each group its members, in the order of their joining.
import { NumberList } from './number-list.ts'

/** Twelve bytes a member, whatever the number of groups. Groups and members are numbered from 0. */
export class Groups {
  /** All of these hold a number plus one: 0 stands for none. */
  readonly #group = new NumberList()
  readonly #next = new NumberList()
  readonly #first = new NumberList()
  readonly #last = new NumberList()

  /** A member is in one group: the first that it joined. */
  join(member: number, group: number): void {
    if (this.#group.at(member) !== 0) return
    this.#group.set(member, group + 1)
    const last = this.#last.at(group)
    if (last === 0) this.#first.set(group, member + 1)
    else this.#next.set(last - 1, member + 1)
    this.#last.set(group, member + 1)
  }

  groupOf(member: number): number | undefined {
    const group = this.#group.at(member)
    return group === 0 ? undefined : group - 1
  }

  *membersOf(group: number): Generator<number> {
    for (let member = this.#first.at(group); member !== 0; member = this.#next.at(member - 1))
      yield member - 1
  }
}
