/** A mail as its reader sees it, in a frame of its own: no scripts run in there, and its links open beside it. */
import type { SyntheticEvent } from 'react';

interface LetterFrameProps {
  html: string;
  title: string;
  className: string | undefined;
}

/** A mail carries its look in style attributes, which the page's policy forbids in its frames too: they are put on by script. */
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
