import type { DomainEvent } from '@lyceum/kernel';
import type { Resource, ResourceDeclaration } from './declaration.ts';
import type { ResourceKit } from './kit.ts';
import { listing } from './list.ts';
import { getting, loadingOf } from './read.ts';
import { rowsOf } from './projection.ts';
import { writingOf } from './write.ts';

/**
 * Makes what a kind of thing needs to be listed, read, created, changed and removed over HTTP. Nothing is registered: a
 * slice takes the operations and the projection that it wants, and writes what is special by itself.
 */
export function resource<
  Thing extends Resource,
  State,
  Command,
  Event extends DomainEvent,
  Code extends string,
  Viewer,
  Shown extends object,
>(
  declared: ResourceDeclaration<Thing, State, Command, Event, Code, Viewer, Shown>,
): ResourceKit<Thing, Command, Viewer, Shown> {
  const rows = rowsOf(declared);
  const loading = loadingOf(declared);
  return {
    ...rows,
    ...loading,
    ...writingOf(declared, loading),
    given: (parts) => resource({ ...declared, ...parts }),
    list: (said) => listing(declared, rows, said),
    get: getting(declared, loading),
  };
}
