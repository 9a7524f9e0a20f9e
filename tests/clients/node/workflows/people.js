// Users and organizations: create, find, change, delete.
import {client, ended, inside, refusal, tell} from '../desk.js';

await tell(async () => {
  const organization = inside(await client.organizations.create({organization: {name: 'Node & Söhne', external_id: 'node-1'}}));
  const user = inside(await client.users.create({
    user: {name: 'Nora Node', email: 'nora@node.example', organization_id: organization.id},
  }));
  await client.users.update(user.id, {user: {phone: '+49 30 1234567', tags: ['node']}});
  const found = await client.users.search({query: 'nora@node.example'});
  const members = await client.users.listByOrganization(organization.id);
  const many = await ended(inside(await client.users.createMany({
    users: [{name: 'Nils Node', email: 'nils@node.example'}, {name: 'Nele Node', email: 'nele@node.example'}],
  })).job_status);
  const listed = (await client.organizations.list()).map((one) => one.name);
  const known = await client.organizations.search('node-1');
  await client.organizations.delete(organization.id);
  const gone = await refusal(client.organizations.show(organization.id));
  const me = inside(await client.users.me());
  return {
    found: found.map((one) => [one.name, one.phone, one.tags]),
    members: members.map((one) => one.name),
    many: many.status,
    listed: listed.includes('Node & Söhne'),
    known: known.map((one) => one.id === organization.id),
    gone,
    me: me.email,
  };
});
