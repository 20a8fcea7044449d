import { type Look, type PageLayout, type Palette, derivePalettes, palettes } from '@lyceum/contracts';
import { createHash } from 'node:crypto';
import { styleOf } from './style.ts';

/** What a page needs to look like its school. */
export interface Theme {
  readonly palettes: { readonly light: Palette; readonly dark: Palette };
  readonly darkMode: Look['dark_mode'];
  readonly layout: PageLayout;
  /** The one style sheet of the page, and its hash as the content security policy writes it. */
  readonly style: string;
  readonly styleHash: string;
}

function makeTheme(look: Pick<Look, 'typography' | 'layout' | 'dark_mode'>, colours: Theme['palettes']): Theme {
  const { typography, layout, dark_mode: darkMode } = look;
  const style = styleOf(colours, typography, darkMode);
  const styleHash = `sha256-${createHash('sha256').update(style, 'utf8').digest('base64')}`;
  return { palettes: colours, darkMode, layout, style, styleHash };
}

const plain = makeTheme({ typography: 'system', layout: 'card', dark_mode: 'auto' }, palettes);
const known = new WeakMap<Look, Theme>();

/** The theme of a look, made once; ours when there is none. */
export function themeOf(look: Look | undefined): Theme {
  if (!look) return plain;
  const found = known.get(look) ?? makeTheme(look, derivePalettes(look));
  known.set(look, found);
  return found;
}
