import type { DemoImage } from '@lyceum/contracts';
import { crc32, deflateSync } from 'node:zlib';

/** Pixels. */
const [width, height] = [480, 270];

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A chunk of a PNG: length, type, data, checksum of type and data. PNG §5.3. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** How bright a light is at a point, from 0 to 1: full within its paper, then less with the distance. */
function glow({ x, y, radius }: DemoImage['lights'][number], column: number, row: number): number {
  const [right, below] = [column - x * width, row - y * height];
  const away = Math.sqrt(right * right + below * below) / (radius * height);
  return away < 0.45 ? 1 - away * 0.4 : Math.max(0, 1 - away) * 0.8;
}

/** A row of pixels, with the byte before it that says how it is filtered: not at all. PNG §9. */
function pixelsOf({ sky: [top, bottom], lights }: DemoImage, row: number): Buffer {
  const pixels = Buffer.alloc(1 + width * 3);
  const below = row / height;
  for (let column = 0; column < width; column += 1) {
    const shares = lights.map((light) => glow(light, column, row));
    for (let channel = 0; channel < 3; channel += 1) {
      let value = (top[channel] ?? 0) * (1 - below) + (bottom[channel] ?? 0) * below;
      for (const [at, share] of shares.entries())
        if (share > 0) value = value * (1 - share) + (lights[at]?.colour[channel] ?? 0) * share;
      pixels[1 + column * 3 + channel] = Math.min(255, Math.round(value / 4) * 4);
    }
  }
  return pixels;
}

/** A picture of the demo as a PNG of 480 by 270 pixels: the same one every time. */
export function demoPng(image: DemoImage): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2], 8);
  const pixels = Buffer.concat(Array.from({ length: height }, (_, row) => pixelsOf(image, row)));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
