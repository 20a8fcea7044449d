import { randomBytes } from 'node:crypto';
import { type Fact, type Message, messagesOf } from '@lyceum/channel';
import type { FactSource } from '@lyceum/contracts';
import {
  type Catalogue,
  type Commit,
  type NewEvent,
  Vault,
  isClaimStream,
  maxCommitBytes,
  memoryKeyStore,
  omitPersonal,
  openStored,
} from '@lyceum/eventlog';
import { UnknownEvent, erasedSubject, erasureStream, systemClock, upcast } from '@lyceum/kernel';
import { trustState } from '@lyceum/oauth';
import {
  type Aggregate,
  type Arrivable,
  type Asked,
  type Moving,
  type Place,
  envelopeOf,
  erasures,
} from '@lyceum/service';
import { ClaimsAnew } from './claims-anew.ts';
import { Unreadable } from './lines.ts';
import { type BodyLine, type StoredCommitLine, most } from './wire.ts';
import { z } from 'zod';
import { firstIssue } from '../first-issue.ts';

/** A service, as far as it matters to what may come into its log. */
export interface Receiving {
  readonly name: string;
  readonly moving: Moving;
  readonly arrivable: Arrivable;
  readonly catalogue: Catalogue;
}

/** The school that comes, and where it will be. */
export interface Coming {
  readonly school: string;
  readonly asked: Asked;
  readonly place: Place | undefined;
}

const keyBytes = 32;

/**
 * Plays what arrives for one service through in memory, as its log would take it and its readers would read it, and says
 * what may be written: whatever nobody here could have written is refused. It works on one line at a time; of the school it
 * remembers the version of each stream and the claims.
 */
export class Rehearsal {
  readonly #service: Receiving;
  readonly #coming: Coming;
  readonly #vault = new Vault(memoryKeyStore(), [randomBytes(keyBytes)]);
  readonly #open: (commit: Commit) => Promise<Commit>;
  readonly #versions = new Map<string, number>();
  readonly #commits = new Set<string>();
  readonly #claims = new ClaimsAnew();
  readonly #envelope: (event: Commit['events'][number], at: string) => Fact | undefined;
  #hasKey = false;

  constructor(service: Receiving, coming: Coming) {
    this.#service = service;
    this.#coming = coming;
    this.#open = openStored(this.#vault, service.catalogue);
    const { toFact } = service.arrivable;
    this.#envelope = toFact ? envelopeOf(service.name as FactSource, toFact) : () => undefined;
  }

  /** The line as it may be written. Throws `Unreadable`. */
  async take(line: BodyLine): Promise<BodyLine> {
    if ('commit' in line) return { ...line, commit: await this.#commit(line.commit) };
    const { school, asked } = this.#coming;
    if (!asked.personal) throw new Unreadable('keys come with personal data only');
    if ('key' in line) {
      const key = Buffer.from(line.key, 'base64');
      if (key.length !== keyBytes || this.#hasKey) throw new Unreadable('a school has one key, of 32 bytes');
      await this.#vault.adopt(school, key);
      this.#hasKey = true;
      return line;
    }
    if (!this.#hasKey) throw new Unreadable('keys of people come after the key of their school');
    for (const each of line.subjects) {
      await this.#vault.adoptSubject(school, each);
      await this.#vault.keyOf(school, each.subject);
    }
    return line;
  }

  async #commit(commit: StoredCommitLine): Promise<StoredCommitLine> {
    if (this.#commits.has(commit.id) || this.#commits.size >= most.commits)
      throw new Unreadable(`commit ${commit.id} is there twice, or there are too many`);
    this.#commits.add(commit.id);
    const settled = commit.events.map((event) => this.#settled(event as NewEvent));
    const own = settled.filter(({ stream }) => !isClaimStream(stream));
    if (own.length === 0) throw new Unreadable(`commit ${commit.id} has nothing but claims`);
    const kinds = own.map((event) => this.#kindOf(event));
    this.#advance(commit, own);
    const whole = this.#stored(commit, settled);
    const stored = { ...whole, events: whole.events.filter(({ stream }) => !isClaimStream(stream)) };
    await this.#readable(stored, kinds);
    const events = this.#claims.renew(settled, omitPersonal(stored).events, kinds, commit.at);
    if (Buffer.byteLength(JSON.stringify(events)) > maxCommitBytes - 64 * events.length)
      throw new Unreadable(`commit ${commit.id} is too large`);
    return { ...commit, events: [...events], streams: this.#claims.touched(commit.streams, events) };
  }

  #settled(event: NewEvent): NewEvent {
    const { moving } = this.#service;
    const { school, place } = this.#coming;
    return (place && moving.settle?.(event, school, place)) ?? event;
  }

  #kindOf({ stream, type, schema, data }: NewEvent): Aggregate {
    const { moving, arrivable } = this.#service;
    const { school, asked } = this.#coming;
    const known = moving.stays?.(stream, asked) ? [] : [...arrivable.aggregates, erasures];
    const kind = known.find((each) => each.isStream(stream, school));
    if (!kind) throw new Unreadable(`stream ${shown(stream)} cannot be imported: event ${shown(type)} v${schema}`);
    const declared = Object.hasOwn(kind.decider.events, type) ? kind.decider.events[type] : undefined;
    if (!declared || schema > declared.version)
      throw new Unreadable(`this release does not know event ${shown(type)} v${schema} of stream ${shown(stream)}`);
    if (kind === erasures && stream !== erasureStream(erasedSubject({ type, data }) ?? ''))
      throw new Unreadable(`stream ${shown(stream)} tells of another subject`);
    return kind;
  }

  /** Versions go on from one commit to the next; those of claims are counted anew. */
  #advance({ id, streams }: StoredCommitLine, own: readonly NewEvent[]): void {
    const touched = streams.filter((each) => !isClaimStream(each.id));
    const counts = new Map<string, number>();
    for (const { stream } of own) counts.set(stream, (counts.get(stream) ?? 0) + 1);
    const isSame = new Set(touched.map((each) => each.id)).size === touched.length && counts.size === touched.length;
    for (const { id: stream, before, after } of touched) {
      const count = counts.get(stream) ?? 0;
      const fits = before === (this.#versions.get(stream) ?? 0) && after === before + count && count > 0;
      if (!isSame || !fits) throw new Unreadable(`commit ${id}: the versions of stream ${shown(stream)} do not follow`);
      this.#versions.set(stream, after);
    }
    if (!isSame || this.#versions.size > most.streams)
      throw new Unreadable(`commit ${id} does not name its streams, or there are too many`);
  }

  #stored({ id: commitId, position, at, meta, fingerprint, streams }: StoredCommitLine, events: readonly NewEvent[]) {
    const versions = new Map(streams.map((each) => [each.id, each.before]));
    return {
      lane: 0,
      position,
      prev: '',
      tenant: this.#coming.school,
      commitId,
      at,
      fingerprint,
      meta: { ...meta } as Commit['meta'],
      streams,
      events: events.map(({ stream, type, schema, data }, index) => {
        const version = (versions.get(stream) ?? 0) + 1;
        versions.set(stream, version);
        return { id: `${commitId}.${index + 1}`, stream, version, type, schema, data };
      }),
    } satisfies Commit;
  }

  /** Every process would judge tokens by these facts: one that cannot be understood would be in the way of all schools. */
  #heard(messages: readonly Message[]): void {
    const { name } = this.#service;
    if (name !== 'school' && name !== 'auth') return;
    const trust = trustState(systemClock);
    for (const { tenant, at, position, facts } of messages)
      for (const fact of facts)
        for (const { until = 0, body } of trust.apply({ source: name, tenant, at, position, fact }))
          if (!Number.isFinite(until) || until > farFuture || !isPlain(body))
            throw new Unreadable(`fact ${fact.type} has a time that is none`);
  }

  /** Whether each event can be read as it is, and as it will be when its person is erased; and told to other services. */
  async #readable(stored: Commit, kinds: readonly Aggregate[]): Promise<void> {
    if (!this.#coming.asked.personal && omitPersonal(stored).events.some((event, at) => event !== stored.events[at]))
      throw new Unreadable(`commit ${stored.commitId} has personal data that the first line denies`);
    const opened = await this.#open(stored);
    for (const commit of [opened, omitPersonal(stored)]) {
      for (const [index, event] of commit.events.entries()) {
        const { events } = kinds[index]!.decider;
        const { data } = upcast(events, event);
        try {
          events[event.type]!.data.parse(data);
        } catch (cause) {
          throw new Unreadable(`event ${event.type} v${event.schema}: ${problemIn(cause)}`, { cause });
        }
      }
      this.#heard(messagesOf(this.#service.name, [commit], 0, this.#envelope).messages);
    }
  }
}

const farFuture = Date.parse('9999-12-31T00:00:00Z');

/** Numbers that are none become null in storage. */
const isPlain = (value: object): boolean =>
  Object.values(value).every((each) => typeof each !== 'number' || Number.isFinite(each));

/** A name of a stranger, as far as it is fit to be shown. */
const shown = (name: string): string => JSON.stringify(name.slice(0, 80));

/** Where a schema refused a value; never the value. */
function problemIn(error: unknown): string {
  return error instanceof z.ZodError ? firstIssue(error) : 'its data cannot be read';
}

/** Whatever goes wrong in a rehearsal is the fault of what is rehearsed. */
export function asUnreadable(error: unknown, line: number): Unreadable {
  const reason =
    error instanceof Unreadable || error instanceof UnknownEvent
      ? error.message
      : `it cannot be read here (${error instanceof Error ? error.name : 'unknown'})`;
  return new Unreadable(`line ${line}: ${reason}`, { cause: error });
}
