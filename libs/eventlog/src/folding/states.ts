import { BoundedMap, type EventTypes, shared, subjectOfStream } from '@lyceum/kernel';
import type { Vault } from '../keys/vault.ts';
import { catalogueOf, isAboutStream } from '../personal/plan.ts';
import { weightOf } from './weight.ts';

/** A stream as it was folded last. */
export interface KnownState<State> {
  readonly state: State;
  /** The stream's version after the last event in it, and that event's id. */
  readonly version: number;
  readonly event: string;
}

/** What a state is folded by. */
interface Folding {
  readonly events: EventTypes;
  readonly evolve: unknown;
}

/** Deciders that share their folding share states. */
const isSameFolding = (one: Folding, other: Folding): boolean =>
  one.events === other.events && one.evolve === other.evolve;

/** Remembers a state, if nobody was erased since it was begun to be read. */
export type Remember = (by: Folding, tenant: string, stream: string, known: KnownState<unknown>) => void;

/** Says who is erased: the vault that reads the log. */
export type Erasures = Pick<Vault, 'onErased'>;

type Kept = KnownState<unknown> & { readonly by: Folding; readonly stream: string; readonly weight: number };

/** What of a state is personal: nothing, only what is about the subject of its stream, or more. */
type Kind = 'plain' | 'personal' | 'mixed';

/** About how many bytes a kept state takes in addition to itself and its name. */
const overhead = 200;

/** A state that would take more than this part of the room for all of them is not kept. */
const largestPart = 1 / 8;

/**
 * The states of streams that were folded lately, so that the next replay begins there. In memory, bounded by what they
 * weigh there.
 *
 * States of personal fields are kept only where the vault reports erasures, and only when all of them are about the
 * subject of the stream: then they go at the moment at which the key goes, which would be held in memory otherwise.
 */
export class States {
  readonly #plain: BoundedMap<string, Kept>;
  /** By subject. */
  readonly #personal: BoundedMap<string, Kept> | undefined;
  readonly #kinds = new WeakMap<object, Kind>();
  readonly #heaviest: number;
  #erasures = 0;

  /** States of about `bytes` stay at least, of twice as many at most; and personal ones of as many. */
  constructor(bytes: number, erasures?: Erasures) {
    const weightOf = ({ weight }: Kept): number => weight;
    this.#heaviest = bytes * largestPart;
    this.#plain = new BoundedMap(bytes, weightOf);
    this.#personal = erasures && new BoundedMap(bytes, weightOf);
    erasures?.onErased((tenant, subject) => {
      this.#erasures += 1;
      if (subject === undefined) this.#personal?.clear();
      else this.#personal?.delete(nameOf(tenant, subject));
    });
  }

  get<State>(by: Folding, tenant: string, stream: string): KnownState<State> | undefined {
    const kept =
      this.#kindOf(by) === 'plain'
        ? this.#plain.get(nameOf(tenant, stream))
        : this.#personal?.get(nameOf(tenant, subjectOfStream(stream)));
    return kept && isSameFolding(kept.by, by) && kept.stream === stream
      ? (kept as Kept & KnownState<State>)
      : undefined;
  }

  /** To be called before a stream is read, for what is read to be remembered. */
  begin(): Remember {
    const before = this.#erasures;
    return (by, tenant, stream, { state, version, event }) => {
      const kind = this.#kindOf(by);
      const map = kind === 'plain' ? this.#plain : this.#personal;
      if (version === 0 || kind === 'mixed' || !map) return;
      const name = nameOf(tenant, kind === 'plain' ? stream : subjectOfStream(stream));
      const weight = weightOf(state, this.#heaviest) + name.length + overhead;
      if (weight > this.#heaviest) map.delete(name);
      // A person who was erased meanwhile may have been read before.
      else if (kind === 'plain' || before === this.#erasures)
        map.set(name, { by, stream, state: shared(state), version, event, weight });
    };
  }

  #kindOf({ events }: Folding): Kind {
    const known = this.#kinds.get(events);
    if (known) return known;
    const catalogue = catalogueOf([events]);
    const kind = catalogue.size === 0 ? 'plain' : isAboutStream(catalogue) ? 'personal' : 'mixed';
    this.#kinds.set(events, kind);
    return kind;
  }
}

/** Neither a tenant nor a stream can contain NUL (see draft). */
const nameOf = (tenant: string, stream: string): string => `${tenant}\0${stream}`;
