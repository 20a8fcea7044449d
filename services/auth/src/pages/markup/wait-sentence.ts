import type { Texts } from '../texts/texts.ts';
import type { Html } from './html.ts';
import { counted } from './sentence.ts';

/** How long somebody has to wait after too many attempts: seconds, from 90 on minutes. */
export const waitSentence = (texts: Texts, seconds: number): Html =>
  seconds <= 90
    ? counted(texts, 'signInWaitSeconds', seconds, {})
    : counted(texts, 'signInWaitMinutes', Math.ceil(seconds / 60), {});
