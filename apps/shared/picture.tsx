/** A picture of an event: our own in several sizes and formats, any other unchanged. */
import type { ComponentProps } from 'react';

/** The sizes of `/media/{id}`; for a smaller picture the server sends the largest it has. */
const widths = [160, 320, 640, 1280] as const;

interface PictureProps extends Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'sizes'> {
  src: string;
  /** Empty for a decoration. */
  alt: string;
  /** The displayed width, as in <img sizes>. */
  sizes: string;
}

export function Picture({ src, sizes, alt, ...rest }: PictureProps) {
  if (!src.startsWith('/media/')) return <img {...rest} src={src} alt={alt} />;
  const files = (format: 'avif' | 'webp' | 'jpg') =>
    widths.map((width) => `${src}/${width}.${format} ${width}w`).join(', ');
  return (
    <picture>
      <source type="image/avif" srcSet={files('avif')} sizes={sizes} />
      <source type="image/webp" srcSet={files('webp')} sizes={sizes} />
      <img {...rest} src={`${src}/640.jpg`} srcSet={files('jpg')} sizes={sizes} alt={alt} />
    </picture>
  );
}
