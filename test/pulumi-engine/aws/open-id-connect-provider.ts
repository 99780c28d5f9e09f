import * as z from 'zod';
import { findResource } from './find-resource';
import { mapping } from './mapping';
import { removedKeys, tagList, tags, tagsOf } from './tags';

/** `aws.iam.OpenIdConnectProvider`. */
export const openIdConnectProvider = mapping({
  shape: z.strictObject({
    url: z.url({ protocol: /^https$/ }),
    clientIdLists: z.array(z.string()),
    thumbprintLists: z.array(z.string().length(40)),
    tags,
  }),
  immutable: ['url', 'thumbprintLists'],
  async create(aws, { url, clientIdLists, thumbprintLists, tags: own }) {
    const parameters = { Url: url, ClientIDList: clientIdLists, ThumbprintList: thumbprintLists, Tags: tagList(own) };
    return (await aws.call('iam', 'CreateOpenIDConnectProvider', parameters)).text('OpenIDConnectProviderArn');
  },
  async read(aws, arn) {
    const parameters = { OpenIDConnectProviderArn: arn };
    const one = await findResource(aws.call('iam', 'GetOpenIDConnectProvider', parameters));
    // AWS returns the URL without the scheme.
    return (
      one && {
        arn,
        url: `https://${one.text('Url')}`,
        clientIdLists: one.at('ClientIDList'),
        thumbprintLists: one.at('ThumbprintList'),
        tags: tagsOf(one),
      }
    );
  },
  async update(aws, OpenIDConnectProviderArn, inputs, before) {
    const previous = (before['clientIdLists'] ?? []) as readonly string[];
    for (const ClientID of inputs.clientIdLists.filter((one) => !previous.includes(one)))
      await aws.call('iam', 'AddClientIDToOpenIDConnectProvider', { OpenIDConnectProviderArn, ClientID });
    for (const ClientID of previous.filter((one) => !inputs.clientIdLists.includes(one)))
      await aws.call('iam', 'RemoveClientIDFromOpenIDConnectProvider', { OpenIDConnectProviderArn, ClientID });
    const removed = removedKeys(before, inputs.tags);
    if (removed.length > 0)
      await aws.call('iam', 'UntagOpenIDConnectProvider', { OpenIDConnectProviderArn, TagKeys: removed });
    await aws.call('iam', 'TagOpenIDConnectProvider', { OpenIDConnectProviderArn, Tags: tagList(inputs.tags) });
  },
  async delete(aws, OpenIDConnectProviderArn) {
    await aws.call('iam', 'DeleteOpenIDConnectProvider', { OpenIDConnectProviderArn });
  },
});
