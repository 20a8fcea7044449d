import { given } from '@lyceum/testkit';
import { describe, expect, test } from '@jest/globals';
import type { AppearanceEvent, Look } from './appearance.events.ts';
import { appearanceFact } from './appearance.facts.ts';
import { appearanceDecider, firstLook, kept } from './appearance.ts';

const look = (accent: string): Look => ({ ...firstLook, palette: { ...firstLook.palette, accent } });
const [red, blue] = [look('#aa0000'), look('#0000aa')];
const saved = (chosen: Look): AppearanceEvent => ({ type: 'AppearanceDraftSaved', data: { look: chosen } });
const published = (revision: number, chosen: Look): AppearanceEvent => ({
  type: 'AppearancePublished',
  data: { revision, look: chosen },
});

describe('the appearance of a school', () => {
  test('is drafted, and saving the same draft again changes nothing', () => {
    given(appearanceDecider).when({ type: 'SaveDraft', look: red }).then(saved(red));
    given(appearanceDecider, saved(red)).when({ type: 'SaveDraft', look: red }).unchanged();
    given(appearanceDecider, saved(red)).when({ type: 'SaveDraft', look: blue }).then(saved(blue));
  });

  test('is published as the next revision, and only when there is a draft', () => {
    given(appearanceDecider).when({ type: 'PublishDraft' }).rejected('not_ready');
    given(appearanceDecider, saved(red)).when({ type: 'PublishDraft' }).then(published(1, red));
    given(appearanceDecider, saved(red), published(1, red)).when({ type: 'PublishDraft' }).rejected('not_ready');
    given(appearanceDecider, saved(red), published(1, red), saved(blue))
      .when({ type: 'PublishDraft' })
      .then(published(2, blue));
  });

  test('forgets a draft that is discarded, once', () => {
    const discarded: AppearanceEvent = { type: 'AppearanceDraftDiscarded', data: {} };
    given(appearanceDecider, saved(red)).when({ type: 'DiscardDraft' }).then(discarded);
    given(appearanceDecider, saved(red), discarded).when({ type: 'DiscardDraft' }).unchanged();
    given(appearanceDecider, saved(red), discarded).when({ type: 'PublishDraft' }).rejected('not_ready');
  });

  test('is rolled back as a new revision, and a draft stays', () => {
    const past = [saved(red), published(1, red), saved(blue), published(2, blue), saved(red)] as const;
    const back: AppearanceEvent = { type: 'AppearanceRolledBack', data: { revision: 3, to: 1, look: red } };
    given(appearanceDecider, ...past)
      .when({ type: 'RollBackLook', to: 1 })
      .then(back);
    given(appearanceDecider, ...past)
      .when({ type: 'RollBackLook', to: 2 })
      .unchanged();
    given(appearanceDecider, ...past)
      .when({ type: 'RollBackLook', to: 7 })
      .rejected('not_found');
    const { state } = given(appearanceDecider, ...past, back);
    expect([state.revisions[0]?.revision, state.revisions[0]?.look, state.draft]).toEqual([3, red, red]);
  });

  test('keeps twenty revisions', () => {
    const past = Array.from({ length: 25 }, (_, at) => [saved(red), published(at + 1, red)]).flat();
    const { state } = given(appearanceDecider, ...past);
    expect(state.revisions).toHaveLength(kept);
    given(appearanceDecider, ...past)
      .when({ type: 'RollBackLook', to: 5 })
      .rejected('not_found');
    given(appearanceDecider, ...past)
      .when({ type: 'RollBackLook', to: 6 })
      .then({
        type: 'AppearanceRolledBack',
        data: { revision: 26, to: 6, look: red },
      });
  });

  test('is told to others when it is public, without the style of the school’s own site', () => {
    const recorded = (event: AppearanceEvent, stream = 'appearance') =>
      appearanceFact({ ...event, id: 'e', stream, version: 1, schema: 1 });
    const { custom_css: _site, ...told } = red;
    expect(recorded(published(4, red))).toEqual({ type: 'AppearancePublished', data: { revision: 4, ...told } });
    expect(recorded({ type: 'AppearanceRolledBack', data: { revision: 5, to: 1, look: red } })).toEqual({
      type: 'AppearancePublished',
      data: { revision: 5, ...told },
    });
    expect(recorded(saved(red))).toBeUndefined();
    expect(recorded(published(4, red), 'course-1')).toBeUndefined();
  });
});
