const youtube = /^(?:www\.|m\.)?(?:youtube\.com|youtube-nocookie\.com)$/;

/** The id of a video in an address of YouTube, if that is what it is. */
function youtubeId({ hostname, pathname, searchParams }: URL): string | undefined {
  const path = /^\/(?:embed|shorts|live)\/([^/]+)$/.exec(pathname)?.[1];
  const id =
    hostname === 'youtu.be' ? pathname.slice(1) : youtube.test(hostname) ? (searchParams.get('v') ?? path) : '';
  return id && /^[\w-]{6,20}$/.test(id) ? id : undefined;
}

function vimeoId({ hostname, pathname }: URL): string | undefined {
  if (!/^(?:www\.|player\.)?vimeo\.com$/.test(hostname)) return undefined;
  return /^\/(?:video\/)?(\d{6,12})$/.exec(pathname)?.[1];
}

/** The address of the player for a video at YouTube or Vimeo, which sets no cookie before it plays; undefined elsewhere. */
export function playerOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const [atYoutube, atVimeo] = [youtubeId(url), vimeoId(url)];
  if (atYoutube !== undefined) return `https://www.youtube-nocookie.com/embed/${atYoutube}`;
  return atVimeo === undefined ? undefined : `https://player.vimeo.com/video/${atVimeo}?dnt=1`;
}

/** Whether an address is that of a video itself, by its name. */
export const isVideoFile = (address: string): boolean =>
  URL.canParse(address) && /\.(?:mp4|m4v|webm|ogv)$/i.test(new URL(address).pathname);
