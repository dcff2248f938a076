/** Splits a Markdown page into chapters, commands to be copied, and the text between them. */
import { lexer, parser } from 'marked';

interface Chapter {
  kind: 'chapter';
  id: string;
  title: string;
}

export type GuidePart =
  | Chapter
  | { kind: 'commands'; text: string }
  | { kind: 'words'; html: string };

/** Leaves out the page's title, which the screen shows. */
export function readGuide(markdown: string): GuidePart[] {
  return lexer(markdown).flatMap((token): GuidePart[] => {
    if (token.type === 'space') return [];
    if (token.type === 'heading' && token['depth'] === 1) return [];
    if (token.type === 'heading') {
      const title = token['text'] as string;
      return [{ kind: 'chapter', id: anchorOf(title), title }];
    }
    if (token.type === 'code') return [{ kind: 'commands', text: token['text'] as string }];
    return [{ kind: 'words', html: parser([token]) }];
  });
}

/** The same anchors as on GitHub, so that the file's links work in both places. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');
}
