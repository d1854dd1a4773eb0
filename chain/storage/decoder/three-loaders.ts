import sharp from 'sharp';

/** libvips has some twenty others, such as SVG and PDF. */
const LOADERS = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'];

/** Configures sharp for ever: three loaders, one thread, no cache. No other module may import `sharp`. */
export function sharpWithThreeLoaders(): typeof sharp {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
