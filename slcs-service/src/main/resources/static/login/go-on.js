// Sends the page's only form on; without scripts its button does.
document.forms[0].submit();
