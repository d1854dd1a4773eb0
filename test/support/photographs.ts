import sharp from 'sharp';
import { image, pngChunk } from './images.ts';

/** EXIF as a phone writes it: device, position, and how the picture is turned. */
const EXIF = {
  IFD0: { Make: 'PhoneCo', Model: 'Phone 9', Software: 'Gallery 4' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '12/1 34/1 56/1', GPSLongitudeRef: 'E', GPSLongitude: '65/1 43/1 21/1' },
};

/** What a stored picture must not hold, as text of its bytes. */
export const TELLTALES = /PhoneCo|Phone 9|Gallery|Exif|xap\/1\.0|photoshop|MPF|ICC_PROFILE|SEFT|ftypmp42|Secret|acsp/;

/** A picture with EXIF, 60 x 40 pixels as stored; `orientation` says how a viewer turns it. */
export async function photograph(format: 'png' | 'jpeg' | 'webp', orientation = 1): Promise<Buffer> {
  return sharp(await image('png', 60, 40))
    .withExif(EXIF)
    .withMetadata({ orientation })
    .toFormat(format)
    .toBuffer();
}

/** The same in Display P3, as phones' cameras write it. */
export async function photographInP3(format: 'png' | 'jpeg' | 'webp'): Promise<Buffer> {
  const saturated = sharp({ create: { width: 60, height: 40, channels: 3, background: '#20d040' } });
  return saturated.withIccProfile('p3').toFormat(format).toBuffer();
}

const MARKER_SOI = Buffer.from([0xff, 0xd8]);
const MARKER_EOI = Buffer.from([0xff, 0xd9]);

export function segment(code: number, content: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length + 2);
  return Buffer.concat([Buffer.from([0xff, code]), length, content]);
}

function behindStart(jpeg: Buffer, ...added: Buffer[]): Buffer {
  return Buffer.concat([MARKER_SOI, ...added, jpeg.subarray(2)]);
}

function withScanParameters(jpeg: Buffer, parameters: readonly number[]): Buffer {
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const copy = Buffer.from(jpeg);
  copy.set(parameters, scan + 2 + copy.readUInt16BE(scan + 2) - 3);
  return copy;
}

/** Whole photographs that every viewer shows, each with what its maker's programs add or write wrong. */
export async function quirkyPhotographs(): Promise<readonly (readonly [what: string, jpeg: Buffer])[]> {
  const jpeg = await image('jpeg', 60, 40);
  const taken = await photograph('jpeg');
  const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(500, 7)]);
  const jfif = segment(0xe0, Buffer.from('JFIF\0\x02\x01\0\0\x01\0\x01\x01\x01abc', 'latin1'));
  return [
    ['a trailer behind its end, as Samsung adds', Buffer.concat([taken, Buffer.from('\0\0SEFHSecretSEFT', 'latin1')])],
    ['a video behind its end, as motion photos have', Buffer.concat([taken, mp4])],
    [
      'a second picture behind its end, as gain maps and depth are',
      behindStart(Buffer.concat([taken, jpeg]), segment(0xe2, Buffer.from('MPF\0Secret'))),
    ],
    ["spectral selection that is not a sequential scan's", withScanParameters(taken, [0, 0, 0])],
    ['bytes between its segments', behindStart(taken, segment(0xe5, Buffer.from('Secret')), Buffer.alloc(9))],
    ['filling before its markers', behindStart(taken, Buffer.alloc(6, 0xff))],
    ['no end', jpeg.subarray(0, -2)],
    ['bytes before its end', Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(20), MARKER_EOI])],
    ['JFIF of an unknown version, with a thumbnail', behindStart(jpeg, jfif)],
    [
      'XMP, IPTC and a comment',
      behindStart(
        jpeg,
        segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0Secret')),
        segment(0xed, Buffer.from('photoshop Secret')),
        segment(0xfe, Buffer.from('Secret')),
      ),
    ],
  ] as const;
}

/** A PNG with everything that PNG can say beside its pixels. */
export async function talkativePng(): Promise<Buffer> {
  const png = await photograph('png');
  const behindHeader = 8 + 25;
  return Buffer.concat([
    png.subarray(0, behindHeader),
    pngChunk('iDOT', Buffer.from('Secret')),
    pngChunk('tEXt', Buffer.from('Comment\0Secret')),
    pngChunk('iTXt', Buffer.from('XML:com.adobe.xmp\0\0\0\0\0Secret')),
    pngChunk('tIME', Buffer.from([7, 234, 11, 26, 10, 0, 0])),
    pngChunk('prVW', Buffer.from('Secret')),
    png.subarray(behindHeader),
    Buffer.from('Secret'),
  ]);
}
