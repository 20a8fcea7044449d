import type { Look } from '@lyceum/contracts';
import { BoundedMap } from '@lyceum/kernel';

type Palette = Look['palette'];

/** How many palettes are remembered: most schools choose one of a few, and the rest must not add up. */
const most = 1024;
const palettes = new BoundedMap<string, Palette>(most);
const looks = new BoundedMap<string, Look>(most);

/** The same look, or an equal one that another school has too: a hundred thousand schools have few looks among them. */
export function internedLook({ palette, typography, layout, dark_mode, logo_text }: Look): Look {
  const { accent, background, surface, text } = palette;
  const colours = shared(palettes, `${accent} ${background} ${surface} ${text}`, () =>
    Object.freeze({ accent, background, surface, text }),
  );
  const made = () => Object.freeze({ palette: colours, typography, layout, dark_mode, logo_text });
  return logo_text === null
    ? shared(looks, `${accent} ${background} ${surface} ${text} ${typography} ${layout} ${dark_mode}`, made)
    : made();
}

function shared<T>(known: BoundedMap<string, T>, key: string, make: () => T): T {
  const found = known.get(key);
  if (found) return found;
  const made = make();
  known.set(key, made);
  return made;
}
