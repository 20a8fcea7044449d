import { htmlText } from '../../discovery/text/html-text.ts';
import { type Wanted, checkoutPath } from '../asking/wanted.ts';
import type { Obstacle } from '../texts/checkout-texts.ts';
import { checkoutLanguages } from '../texts/languages.ts';
import { signInPath } from './buying-page.ts';
import { type CheckoutPage, type PageFrame, checkoutPage, filled, told } from './markup.ts';

/** What keeps a person from buying. */
export interface ObstacleModel extends PageFrame {
  readonly obstacle: Obstacle;
  readonly wanted: Wanted;
  /** What it is about, where the service names it. */
  readonly title: string | undefined;
}

/** The page where nothing can be bought: why, and the way on. */
export function obstaclePage({ obstacle, wanted, title, ...frame }: ObstacleModel): CheckoutPage {
  const said = checkoutLanguages[frame.language];
  const [heading, about] = said.obstacles[obstacle];
  const again = htmlText(checkoutPath(wanted));
  const home = `<a class="button" href="/">${filled(said.home, { school: told(frame.school.name) })}</a>`;
  const onward: Readonly<Partial<Record<Obstacle, string>>> = {
    already_owned: `<a class="button primary" href="/oauth/account">${said.toAccount}</a>\n`,
    already_subscribed: `<a class="button primary" href="/oauth/account">${said.toAccount}</a>\n`,
    for_members: `<a class="button primary" href="${htmlText(signInPath(checkoutPath(wanted)))}">${said.signIn}</a>\n`,
    rate_limited: `<a class="button primary" href="${again}">${said.checkAgain}</a>\n`,
    unavailable: `<a class="button primary" href="${again}">${said.checkAgain}</a>\n`,
  };
  const main = `<div class="top"><h1>${heading}</h1>
${title === undefined ? '' : `<p><strong>${told(title)}</strong></p>\n`}<p>${about}</p></div>
<p class="buttons">${onward[obstacle] ?? ''}${home}</p>`;
  return checkoutPage(frame, { title: heading, main });
}
