import { type Decider, reject } from '@lyceum/kernel';
import { type AppearanceEvent, type Look, appearanceEvents } from './appearance.events.ts';

/** The stream, in a school's tenant. */
export const appearanceStream = 'appearance';

/** A look that was or is public. */
export interface Revision {
  readonly revision: number;
  readonly look: Look;
  /** RFC 3339. */
  readonly published_at: string;
}

/** The appearance of a school as its events tell it. */
export interface Appearance {
  readonly draft: Look | undefined;
  /** The newest twenty, newest first; the first is public. */
  readonly revisions: readonly Revision[];
  /** RFC 3339; undefined while nothing was ever chosen. */
  readonly changed_at: string | undefined;
}

/** What may be asked of it. */
export type AppearanceCommand =
  | { readonly type: 'SaveDraft'; readonly look: Look }
  | { readonly type: 'PublishDraft' }
  | { readonly type: 'DiscardDraft' }
  | { readonly type: 'RollBackLook'; readonly to: number };

/** Why it says no. */
export type AppearanceCode = 'not_ready' | 'not_found';

/** How many revisions can be rolled back to, the public one included. */
export const kept = 20;

/** What a school looks like before anybody has chosen. */
export const firstLook: Look = {
  palette: { accent: '#14605a', background: '#f2f4f1', surface: '#ffffff', text: '#17211e' },
  typography: 'system',
  layout: 'card',
  dark_mode: 'auto',
  logo_text: null,
  custom_css: '',
};

/** The appearance of one school. What is public changes only by publishing and rolling back. */
export const appearanceDecider: Decider<Appearance, AppearanceCommand, AppearanceEvent, AppearanceCode> = {
  events: appearanceEvents,
  initial: { draft: undefined, revisions: [], changed_at: undefined },
  decide(command, { draft, revisions }) {
    const revision = (revisions[0]?.revision ?? 0) + 1;
    switch (command.type) {
      case 'SaveDraft':
        return isSame(draft, command.look) ? [] : [{ type: 'AppearanceDraftSaved', data: { look: command.look } }];
      case 'DiscardDraft':
        return draft ? [{ type: 'AppearanceDraftDiscarded', data: {} }] : [];
      case 'PublishDraft':
        if (!draft) return reject('not_ready', 'There is no draft to publish');
        return [{ type: 'AppearancePublished', data: { revision, look: draft } }];
      case 'RollBackLook': {
        const found = revisions.find((each) => each.revision === command.to);
        if (!found) return reject('not_found', 'This revision is not kept');
        if (found === revisions[0]) return [];
        return [{ type: 'AppearanceRolledBack', data: { revision, to: found.revision, look: found.look } }];
      }
    }
  },
  evolve(state, event, { at }) {
    switch (event.type) {
      case 'AppearanceDraftSaved':
        return { ...state, draft: event.data.look, changed_at: at };
      case 'AppearanceDraftDiscarded':
        return { ...state, draft: undefined, changed_at: at };
      case 'AppearancePublished':
        return { ...published(state, event.data, at), draft: undefined };
      case 'AppearanceRolledBack':
        return published(state, event.data, at);
    }
  },
};

const isSame = (one: Look | undefined, other: Look): boolean => JSON.stringify(one) === JSON.stringify(other);

const published = (state: Appearance, { revision, look }: Omit<Revision, 'published_at'>, at: string): Appearance => ({
  ...state,
  revisions: [{ revision, look, published_at: at }, ...state.revisions].slice(0, kept),
  changed_at: at,
});
