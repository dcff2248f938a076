/** Shown in place of content that could not be loaded (RULES W9). */
import type { ReactNode } from 'react';
import { AsyncButton } from './async-button.tsx';
import { Icon } from './icon.tsx';

/** RULES W9, word for word. */
const loadFailure = 'Oops... Si è verificato un errore :( Riprova più tardi...';

export interface ErrorViewProps {
  text?: string;
  /** A smaller second sentence: what happened or what to do. */
  detail?: ReactNode;
  /** Missing: "Riprova" reloads the page. */
  onRetry?: () => Promise<unknown> | void;
  /** A better action than trying again, shown first. */
  first?: ReactNode;
  /** The page has no other content, so the sentence is its title. */
  isPage?: boolean;
}

export function ErrorView({
  text = loadFailure,
  detail,
  onRetry = () => location.reload(),
  first,
  isPage = false,
}: ErrorViewProps) {
  const Sentence = isPage ? 'h1' : 'p';
  return (
    <div className="ui-view" role="alert">
      <span className="ui-view-sign ui-view-sign-bad">
        <Icon name="warning" size={40} />
      </span>
      <Sentence className="ui-view-text">{text}</Sentence>
      {detail !== undefined && <p className="ui-view-detail">{detail}</p>}
      {first}
      <AsyncButton variant={first === undefined ? 'primary' : 'quiet'} onClick={onRetry}>
        <Icon name="refresh" /> Riprova
      </AsyncButton>
    </div>
  );
}
