/** A mail as its reader sees it, in a frame without scripts whose links open in a new tab. */
import type { SyntheticEvent } from 'react';

interface LetterFrameProps {
  html: string;
  title: string;
  className: string | undefined;
}

/** A script sets the styles, because the page's policy forbids style attributes in frames too. */
export function LetterFrame({ html, title, className }: LetterFrameProps) {
  return (
    <iframe
      className={className}
      title={title}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      srcDoc={html
        .replaceAll(' style="', ' data-style="')
        .replaceAll('<a href=', '<a target="_blank" rel="noreferrer" href=')}
      onLoad={dress}
    />
  );
}

function dress({ currentTarget }: SyntheticEvent<HTMLIFrameElement>): void {
  const elements = currentTarget.contentDocument?.querySelectorAll<HTMLElement>('[data-style]');
  for (const element of elements ?? []) element.style.cssText = element.dataset['style'] ?? '';
}
