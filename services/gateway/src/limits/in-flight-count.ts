/** Somebody who is in a crowd. */
export interface Member {
  /** Takes it out; more than once does nothing. */
  leave(): void;
}

/** How many there may be, of an address and of a school. */
export interface InFlightQuota {
  readonly ofAddress: number;
  readonly ofSchool: number;
}

/** Counts who is there, by address and by school. */
export class InFlightCount<T> {
  readonly #room: InFlightQuota;
  readonly #members = new Map<string, Set<T>>();

  constructor(room: InFlightQuota) {
    this.#room = room;
  }

  /** Whose number is used up: the first of the two, or undefined where there is room. */
  full(address: string, school: string): 'address' | 'school' | undefined {
    if ((this.#members.get(`a ${address}`)?.size ?? 0) >= this.#room.ofAddress) return 'address';
    return (this.#members.get(`s ${school}`)?.size ?? 0) >= this.#room.ofSchool ? 'school' : undefined;
  }

  /** The one who has been there for the longest time among those whose number is used up. */
  oldest(address: string, school: string): T | undefined {
    const of = this.full(address, school);
    if (!of) return undefined;
    const [first] = this.#members.get(of === 'address' ? `a ${address}` : `s ${school}`)!;
    return first;
  }

  enter(member: T, address: string, school: string): Member {
    const keys = [`a ${address}`, `s ${school}`];
    for (const key of keys) {
      const before = this.#members.get(key);
      if (before) before.add(member);
      else this.#members.set(key, new Set([member]));
    }
    return {
      leave: () => {
        for (const key of keys) {
          const among = this.#members.get(key);
          if (among?.delete(member) && among.size === 0) this.#members.delete(key);
        }
      },
    };
  }
}
